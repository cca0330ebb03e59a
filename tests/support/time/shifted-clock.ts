// Loaded into a built server with --import: the test that started it moves its clock by messages.
// The product has no such hook. Timers keep real time, as they do when an operator sets a clock. A
// script that runs to its end receives no messages, so its environment sets its clock.
let offset = Number(process.env['TEST_CLOCK_AHEAD'] ?? 0) * 1000;
/** Where the monotonic clock is stopped; null while it runs. */
let heldAt: number | null = null;

const RealDate = Date;

class ShiftedDate extends RealDate {
	constructor(...values: [] | [number | string | Date]) {
		if (values.length === 0) super(RealDate.now() + offset);
		else super(...(values as [number]));
	}

	static override now(): number {
		return RealDate.now() + offset;
	}
}

globalThis.Date = ShiftedDate as DateConstructor;

const monotonic = performance.now.bind(performance);
/** How far it is ahead. When it resumes, it continues 300 ms later, as if it had run for a moment. */
let skipped = 0;
performance.now = () => heldAt ?? monotonic() + skipped;

const hold = (held: boolean): void => {
	if (!held && heldAt !== null) skipped += 300;
	heldAt = held ? monotonic() + skipped : null;
};

process.on('message', (message: { offset?: number; held?: boolean; passed?: number }) => {
	offset = message.offset ?? offset;
	skipped += message.passed ?? 0;
	if (message.held !== undefined) hold(message.held);
	process.send?.({ done: true });
});
process.channel?.unref();
// Servers that test files share end with the process that started them.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
