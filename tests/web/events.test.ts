import { describe, expect, test } from 'vitest';
import { shownEvents } from '#lib/adapters/web/events/pages.ts';
import type { Actor, EventKind } from '#lib/domain/events/ports.ts';
import type { EventId, UserId } from '#lib/domain/ids.ts';
import { messages } from '#lib/messages/messages.ts';
import { aSignedInSite, newAddress, signIn } from '../support/web/sign-in.ts';
import { anId } from '../support/domain/builders.ts';
import { aSite } from '../support/web/site.ts';
import type { Visitor } from '../support/web/visitor.ts';

const PAGE = '/settings/activity';
const FIREFOX = {
	'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
};
const { event: text, byOperator } = messages.activity;

interface Shown {
	readonly text: string;
	readonly by: string | null;
	readonly isHourly: boolean;
}

const shown = async (visitor: Visitor, query = '') => {
	const { data } = await visitor.open(PAGE + query);
	return data as unknown as { events: readonly Shown[]; older: string | null };
};

describe('the activity page', () => {
	test('says in words what happened, and on which device', async () => {
		const { site, visitor, email } = await aSignedInSite();
		await visitor.post('/settings?/grantConsent', {}, FIREFOX);
		const { events, older } = await shown(visitor);
		expect(events).toMatchObject([
			{ text: text('consent_granted'), by: 'Firefox on Linux', isHourly: false },
			{ text: text('signed_up'), by: null }
		]);
		expect(older).toBeNull();
		const stored = [...site.tables.events.values()];
		expect(stored).toMatchObject(
			stored.map(({ at }) => ({ at, actor: { kind: 'person' }, userId: site.userOf(email).id }))
		);
		expect(new Set(stored.map(({ requestId }) => requestId)).size).toBe(2);
	});

	test('says of a count that it is of an hour, and names no operator', () => {
		const operator = { kind: 'operator', id: anId<UserId>() } as const;
		const userAgent = FIREFOX['user-agent'];
		const shownOf = (kind: EventKind, actor: Actor = { kind: 'system' }) => {
			const context = { actor, at: new Date(0), requestId: null, ipAddress: null, userAgent };
			const event = { ...context, id: anId<EventId>(), kind, count: 2, detail: null };
			const { events } = shownEvents({ events: [event], next: null });
			return events.map(({ isHourly, text, by }) => [isHourly, text, by]).flat();
		};
		const device = 'Firefox on Linux';
		expect(shownOf('code_sent')).toEqual([true, text('code_sent', 2), device]);
		expect(shownOf('code_refused')).toEqual([true, text('code_refused', 2), device]);
		const ended = [false, text('session_ended', 2), byOperator];
		expect(shownOf('session_ended', operator)).toEqual(ended);
		// It counts sessions, and a device can have several.
		expect(text('session_ended', 2)).toBe(text('session_ended', 3));
	});

	test('is read in pages', async () => {
		const { site, visitor, email } = await aSignedInSite();
		const { id } = site.userOf(email);
		for (let turn = 0; turn < 60; turn += 1) {
			site.clock.advance(1);
			const occasion = { source: 'app', place: null, wording: null } as const;
			const { grantConsent, withdrawConsent } = site.app;
			await (turn % 2 === 0 ? grantConsent : withdrawConsent)(id, occasion);
			if (turn % 10 === 9) site.clock.advance(24 * 3600);
		}
		const first = await shown(visitor);
		const second = await shown(visitor, `?before=${first.older}`);
		expect([first.events.length, second.events.length]).toEqual([50, 11]);
		expect(second.older).toBeNull();
		expect(second.events.at(-1)?.text).toBe(text('signed_up'));
		expect((await shown(visitor, '?before=nonsense')).events).toEqual(first.events);
	});

	test.each([
		['off', null],
		['prefix', '203.0.113.0/24'],
		['full', '203.0.113.77']
	])('with LOG_CLIENT=%s the log and events have the client as %s', async (setting, client) => {
		const site = await aSite({ LOG_CLIENT: setting });
		await signIn(site, newAddress(), site.visitor(undefined, '203.0.113.77'));
		const [event] = site.tables.events.values();
		expect(event?.ipAddress).toBe(client);
		expect(site.log.at(-1)).toMatchObject({ client });
	});
});
