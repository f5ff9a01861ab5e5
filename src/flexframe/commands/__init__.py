"""The commands of the command line, one file each: call what does the work, print what came out."""
