import { expect, it } from 'vitest';
import { inEventContext } from '#lib/adapters/sql/events/record-event.ts';
import type { Actor, EventContext } from '#lib/domain/events/ports.ts';
import type { UserId } from '#lib/domain/ids.ts';
import { aFixture } from '../../support/domain/fixture.ts';

const DAY = 24 * 3600;

/** An account whose owner looked at the export on the first day and on the hundredth. */
const aHistory = async () => {
	const fixture = aFixture();
	const context = (): EventContext => ({
		actor: { kind: 'operator', id: null },
		at: fixture.clock.now(),
		requestId: 'a request',
		ipAddress: '192.0.2.0/24',
		userAgent: 'a browser'
	});
	const { user } = await inEventContext(context, () => fixture.signIn('ada@example.com'));
	fixture.clock.advance(100 * DAY);
	await inEventContext(context, () =>
		fixture.exportAccount(user.id, { kind: 'operator', id: null })
	);
	return { fixture, user, context };
};

it('pruning removes events after so many days', async () => {
	const { fixture, user } = await aHistory();
	expect(await fixture.pruneExpired()).toMatchObject({ events: 1 });
	expect(await fixture.stores.events.pageOf(user.id, null, 9)).toMatchObject([
		{ kind: 'exported' }
	]);
	fixture.clock.advance(89 * DAY);
	expect(await fixture.pruneExpired()).toMatchObject({ events: 0 });
	fixture.clock.advance(2 * DAY);
	expect(await fixture.pruneExpired()).toMatchObject({ events: 1 });
});

it('operators read the whole event, and the person no name, client or reason of an operator', async () => {
	const { fixture, user, context } = await aHistory();
	const [whole] = await fixture.stores.events.pageOf(user.id, null, 1);
	expect(whole).toMatchObject({ ...context(), kind: 'exported' });
	const shown = { requestId: null, ipAddress: null, userAgent: null, detail: null };
	const [own] = (await fixture.readActivity(user.id, null, 1)).events;
	expect(own).toMatchObject({ kind: 'exported', actor: { kind: 'operator', id: null }, ...shown });
	expect((await fixture.exportAccount(user.id, { kind: 'person' }))?.events).toMatchObject([
		{ kind: 'exported' },
		shown,
		shown
	]);
});

it('a look at an account is recorded once an hour, and at once for somebody else', async () => {
	const { fixture, user, context } = await aHistory();
	const operator = (id: string | null) => ({ kind: 'operator', id: id as UserId | null }) as const;
	const looks: readonly (readonly [Actor, minutes: number])[] = [
		[operator('one'), 0],
		[operator('one'), 59],
		[operator('two'), 0],
		[operator(null), 0],
		[{ kind: 'person' }, 0],
		[{ kind: 'person' }, 60]
	];
	const recorded: number[] = [];
	for (const [actor, minutes] of looks) {
		fixture.clock.advance(minutes * 60);
		await inEventContext(
			() => ({ ...context(), actor }),
			() => fixture.exportAccount(user.id, actor)
		);
		const events = await fixture.stores.events.pageOf(user.id, null, 99);
		recorded.push(events.filter(({ kind }) => kind === 'exported').length);
	}
	// The history begins with one.
	expect(recorded).toEqual([2, 2, 3, 4, 5, 6]);
});
