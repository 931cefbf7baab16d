"""The version of the package: read by the build, shown by the command line, kept in playlogs."""

__version__ = "0.1.0"
