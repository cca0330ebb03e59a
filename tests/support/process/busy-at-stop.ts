// Loaded into a built server with --import: at SIGTERM it is busy for a moment, as any process may
// be, so that requests have arrived that it has not read yet.
const BUSY_MS = 100;

const block = (): void => {
	Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_MS);
};
process.on('SIGTERM', block).on('SIGINT', block);
