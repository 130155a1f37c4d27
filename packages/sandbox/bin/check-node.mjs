// Loaded first, before any file that needs a newer Node.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
// `crc32` of node:zlib exists since 20.15 and 22.2, and not in 21.
const isSupported = major === 20 ? minor >= 19 : major === 22 ? minor >= 2 : major > 22;
if (!isSupported) {
  process.stderr.write(
    `error: Node 20 (20.19 or later) or Node 22.2 or later is needed, and this is ${process.versions.node}.\n`,
  );
  process.exit(1);
}
