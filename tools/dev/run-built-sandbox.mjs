// Runs the sandbox that has been built as a child of `npm run dev`. If that is killed, the channel
// between the two closes, and the sandbox stops too.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
process.channel?.unref();
await import('../../packages/sandbox/dist/cli.js');
