"""``python -m annelid`` is ``annelid``."""

from annelid.cli.main import run

if __name__ == "__main__":
    run()
