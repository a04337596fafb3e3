"""Makes ``python -m annelid`` the same as the command ``annelid``."""

from annelid.cli.main import run

if __name__ == "__main__":
    run()
