// Loaded into a built server with --import: the test that started it moves its clock by messages.
// The product has no such hook, and timers keep real time, as they do when an operator sets a clock.
// A script that runs to its end takes no messages, so it is told at its start.
let offset = Number(process.env['TEST_CLOCK_AHEAD'] ?? 0) * 1000;

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

process.on('message', (message: { offset: number }) => {
	offset = message.offset;
	process.send?.({ offset });
});
process.channel?.unref();
