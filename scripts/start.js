// Plain JavaScript that any Node can read: what follows needs a newer one, and SQLite's native
// driver crashes an old one without a word.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 17)) {
	console.error(
		`[postern] Node ${process.versions.node} is too old: run "npm start", which brings its own, or use Node 22.17 or later.`
	);
	process.exit(1);
}
await import('./serve.ts');
