# JupyterLab's settings in the image. The port is that of JUPYTER_PORT; the
# token is on, and a new one each time unless JUPYTER_TOKEN sets it.
import os

c = get_config()  # noqa: F821 (Jupyter defines it)

c.ServerApp.ip = "0.0.0.0"
# A page from elsewhere whose name leads to this machine (DNS rebinding) is refused by the
# Host that its requests carry: it has to be a loopback address, localhost, or one of
# JUPYTER_HOSTS. Without this line an ip of 0.0.0.0 lets any Host through.
c.ServerApp.allow_remote_access = False
c.ServerApp.local_hostnames = ["localhost", *os.environ.get("JUPYTER_HOSTS", "").split()]
c.ServerApp.port_retries = 0
c.ServerApp.open_browser = False
c.ServerApp.root_dir = "/home/student/regbook/work"
c.ServerApp.quit_button = False

c.MultiKernelManager.default_kernel_name = "regbook"
c.KernelSpecManager.ensure_native_kernel = False

# Nothing is asked of the network.
c.LabApp.check_for_updates_class = "jupyterlab.NeverCheckForUpdate"
c.LabApp.news_url = None
c.LabApp.extension_manager = "readonly"
