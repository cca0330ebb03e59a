// Loaded into a built server by NODE_OPTIONS: prints how many bytes of memory the process holds,
// for a test that knows it by its output alone.
setInterval(() => {
	process.stdout.write(`[test] rss ${process.memoryUsage.rss()}\n`);
}, 250).unref();
