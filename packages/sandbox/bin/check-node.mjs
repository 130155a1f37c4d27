// Loaded first, before any file that needs a newer Node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(
    `error: Node 20.19 or later is needed, and this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
