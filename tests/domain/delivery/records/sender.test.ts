import { describe, expect, it } from 'vitest';
import { nodePublicKeys } from '#lib/adapters/mail/records/node-public-keys.ts';
import { registrableDomain } from '#lib/adapters/mail/records/public-suffixes.ts';
import {
	isLocalDomain,
	makeCheckSender,
	type CheckSenderInput
} from '#lib/domain/delivery/records/check-sender.ts';
import type { Section } from '#lib/domain/delivery/records/finding.ts';
import { parseTags } from '#lib/domain/delivery/records/tag-list.ts';
import { zoneLookup, type DnsZone } from '../../../support/mail/dns-zone.ts';
import { dkimKey, soundZone } from '../../../support/mail/sender-zone.ts';

const check = async (
	zone: DnsZone,
	input: Partial<CheckSenderInput> = {}
): Promise<readonly Section[]> =>
	makeCheckSender({
		dns: zoneLookup(zone),
		keys: nodePublicKeys(),
		registrable: registrableDomain
	})({
		domain: 'example.org',
		smtpHost: 'mail.example.org',
		selectors: ['mail'],
		returnPath: null,
		...input
	});

const linesOf = (sections: readonly Section[], topic: Section['topic']): string[] =>
	sections
		.filter((section) => section.topic === topic)
		.flatMap(({ name, findings }) =>
			findings.map(({ level, text }) => `${name} ${level}: ${text}`)
		);
const setsOf = (sections: readonly Section[], topic: Section['topic']): string[] =>
	sections
		.filter((section) => section.topic === topic)
		.flatMap(({ findings }) => findings.flatMap(({ set }) => set ?? []))
		.map(({ name, type, value }) => `${name} ${type} ${value}`);

const dmarc = (tags: string): DnsZone => ({
	'_dmarc.example.org': { txt: [`v=DMARC1; p=reject; rua=mailto:d@example.org${tags}`] }
});

describe('alignment', () => {
	it('is strict for the domain itself', async () => {
		const sections = await check(soundZone(dmarc('; adkim=s; aspf=s')));
		expect(linesOf(sections, 'Alignment')).toEqual([
			'example.org ok: DKIM: example.org (strict)',
			'example.org ok: SPF: example.org (strict)'
		]);
	});

	const subdomain = {
		'login.example.org': { mx: [[10, 'mx.example.org']], a: ['192.0.2.3'] }
	} satisfies DnsZone;
	const input = { domain: 'login.example.org', returnPath: 'example.org' };

	it('is relaxed within the organisation', async () => {
		const sections = await check(soundZone(subdomain), input);
		expect(linesOf(sections, 'Alignment')).toEqual([
			'login.example.org ok: DKIM: example.org (relaxed)',
			'login.example.org ok: SPF: example.org (relaxed)'
		]);
	});

	it('fails when both must be strict, and the record to set relaxes them', async () => {
		const sections = await check(soundZone({ ...subdomain, ...dmarc('; adkim=s; aspf=s') }), input);
		expect(linesOf(sections, 'Alignment')).toEqual([
			'login.example.org error: DKIM passes for example.org, but "adkim=s" needs exactly login.example.org',
			'login.example.org error: SPF passes for example.org, but "aspf=s" needs exactly login.example.org'
		]);
		expect(new Set(setsOf(sections, 'Alignment'))).toEqual(
			new Set([
				'_dmarc.example.org TXT v=DMARC1; p=reject; rua=mailto:d@example.org; adkim=r; aspf=r'
			])
		);
	});

	it('is a warning when only one of the two fails', async () => {
		const sections = await check(soundZone({ ...subdomain, ...dmarc('; aspf=s') }), input);
		expect(linesOf(sections, 'Alignment')).toEqual([
			'login.example.org ok: DKIM: example.org (relaxed)',
			'login.example.org warning: SPF passes for example.org, but "aspf=s" needs exactly login.example.org'
		]);
	});

	it('fails for another organisation, also under one public suffix', async () => {
		const zone = {
			'shop.co.uk': { mx: [[10, 'mx.example.org']] },
			'mx.example.org': { a: ['192.0.2.2'] },
			'bounce.co.uk': { txt: ['v=spf1 mx -all'], mx: [[10, 'mx.example.org']] }
		} satisfies DnsZone;
		const sections = await check(zone, { domain: 'shop.co.uk', returnPath: 'bounce.co.uk' });
		expect(linesOf(sections, 'Alignment')).toEqual([
			'shop.co.uk error: SPF passes for bounce.co.uk, which does not belong to the organisation of shop.co.uk'
		]);
	});

	it('fails without any usable record', async () => {
		const sections = await check({});
		expect(linesOf(sections, 'Alignment')).toEqual([
			expect.stringContaining('error: neither DKIM nor SPF passes')
		]);
	});

	it('is unknown while a lookup fails', async () => {
		const zone = soundZone({
			'example.org': { behaviour: 'servfail' },
			'mail._domainkey.example.org': { behaviour: 'silent' }
		});
		expect(linesOf(await check(zone), 'Alignment')).toEqual([
			expect.stringContaining('unchecked: whether DKIM or SPF passes')
		]);
	});
});

describe('the return path', () => {
	it('of Resend is a subdomain of the sender', async () => {
		const sections = await check(
			{
				'send.example.org': { txt: ['v=spf1 include:amazonses.com ~all'] },
				'amazonses.com': { txt: ['v=spf1 ip4:192.0.2.0/24 -all'] },
				'resend._domainkey.example.org': { txt: [dkimKey()] }
			},
			{ smtpHost: 'smtp.resend.com', selectors: [] }
		);
		expect(linesOf(sections, 'SPF')).toEqual([
			'send.example.org ok: "v=spf1 include:amazonses.com ~all", DNS lookups: 1',
			'example.org ok: there is no SPF record, and none is needed here'
		]);
		expect(linesOf(sections, 'Alignment')).toEqual([
			'example.org ok: DKIM: example.org (relaxed)',
			'example.org ok: SPF: send.example.org (relaxed)'
		]);
	});

	it('of other providers is their own unless the operator names another', async () => {
		const postmark = { smtpHost: 'smtp.postmarkapp.com' };
		const own = await check(soundZone({ 'example.org': { a: ['192.0.2.1'] } }), postmark);
		expect(linesOf(own, 'SPF')).toEqual([
			'example.org ok: there is no SPF record, and none is needed here'
		]);
		expect(linesOf(own, 'Alignment')).toEqual(['example.org ok: DKIM: example.org (relaxed)']);
		const named = { ...postmark, returnPath: 'pm-bounces.example.org' };
		const zone = soundZone({
			'pm-bounces.example.org': { cname: 'pm.mtasv.net' },
			'pm.mtasv.net': { txt: ['v=spf1 include:spf.mtasv.net ~all'] },
			'spf.mtasv.net': { txt: ['v=spf1 ip4:192.0.2.0/24 -all'] }
		});
		expect(linesOf(await check(zone, named), 'Alignment')).toEqual([
			'example.org ok: DKIM: example.org (relaxed)',
			'example.org ok: SPF: pm-bounces.example.org (relaxed)'
		]);
	});
});

describe('the MX records', () => {
	const host = { 'mx.example.org': { a: ['192.0.2.2'] } } satisfies DnsZone;
	const mx = async (zone: DnsZone, domain = 'example.org') => {
		const sections = await check(zone, { domain });
		return { lines: linesOf(sections, 'MX'), sets: setsOf(sections, 'MX') };
	};

	it('are in order, over IPv6 alone as well', async () => {
		const zone = {
			'example.org': {
				mx: [
					[10, 'mx.example.org.'],
					[20, 'six.example.org']
				]
			},
			...host,
			'six.example.org': { aaaa: ['2001:db8::1'] }
		} satisfies DnsZone;
		expect((await mx(zone)).lines).toEqual([
			'example.org ok: 10 mx.example.org, 20 six.example.org'
		]);
	});

	it('are missing: worse without an address', async () => {
		expect(await mx({ 'example.org': { a: ['192.0.2.1'] } })).toEqual({
			lines: [expect.stringContaining('example.org warning: there is no MX record')],
			sets: ['example.org MX 10 <host that receives email for example.org>']
		});
		expect((await mx({})).lines).toEqual([
			expect.stringContaining('error: there is neither an MX record nor an address')
		]);
	});

	it('are missing for a subdomain: the record names the mail host of the organisation', async () => {
		const zone = { 'example.org': { mx: [[5, 'mx.example.org']] }, ...host } satisfies DnsZone;
		expect((await mx(zone, 'login.example.org')).sets).toEqual([
			'login.example.org MX 5 mx.example.org'
		]);
	});

	it('are the null MX, alone or beside others', async () => {
		expect((await mx({ 'example.org': { mx: [[0, '.']] } })).lines).toEqual([
			expect.stringContaining('error: the null MX (0 .) says')
		]);
		expect(
			(
				await mx({
					'example.org': {
						mx: [
							[0, '.'],
							[10, 'mx.example.org']
						]
					},
					...host
				})
			).lines
		).toEqual([expect.stringContaining('error: one of its records is the null MX')]);
	});

	it.each([
		['192.0.2.2', 'is an address'],
		['gone.example.org', 'has no address'],
		['home.example.org', 'has an address that leads nowhere']
	])('name %s', async (exchange, reason) => {
		const others = { ...host, 'home.example.org': { a: ['127.0.0.1'] } };
		const broken = await mx({ 'example.org': { mx: [[10, exchange]] }, ...others });
		expect(broken.lines).toEqual([expect.stringContaining('example.org error: ')]);
		expect(broken.lines[0]).toContain(reason);
		const backup = await mx({
			'example.org': {
				mx: [
					[10, exchange],
					[20, 'mx.example.org']
				]
			},
			...others
		});
		expect(backup.lines).toEqual([expect.stringContaining('example.org warning: ')]);
	});

	it('cannot be looked up', async () => {
		const { lines } = await mx({ 'example.org': { behaviour: 'refused' } });
		expect(lines).toEqual([
			'example.org unchecked: MX of example.org: the DNS server refused the question'
		]);
	});
});

describe('untrusted records', () => {
	it('cause at most twenty findings each', async () => {
		const terms = Array.from({ length: 500 }, (_, at) => `bad${at}`).join(' ');
		const sections = await check(soundZone({ 'example.org': { txt: [`v=spf1 ${terms}`] } }));
		const lines = linesOf(sections, 'SPF');
		expect(lines).toHaveLength(21);
		expect(lines.at(-1)).toMatch(/^example\.org error: and \d+ more$/);
	});

	// The pattern that this once used took half a minute.
	it('are read in time that does not explode with their length', { timeout: 10_000 }, () => {
		const spaces = ' '.repeat(4000);
		for (const text of [`x=${spaces}\x01`, `x=a${' a'.repeat(2000)}\x01`, ';'.repeat(4000)]) {
			parseTags(text);
		}
	});

	it('of names that exist in no public DNS are not looked up', () => {
		expect(['example.test', 'a.localhost', 'x.invalid', 'mail.local'].every(isLocalDomain)).toBe(
			true
		);
		expect(['example.org', 'test.example.org', 'mytest'].some(isLocalDomain)).toBe(false);
	});
});
