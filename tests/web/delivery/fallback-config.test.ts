import { describe, expect, test } from 'vitest';
import { readConfig } from '#lib/config.server.ts';

const first = { EMAIL_API_KEY: 're_k3J0v9Qm2', EMAIL_FROM: 'Acme <no-reply@example.org>' };
const second = { EMAIL_FALLBACK_API_KEY: 'pm_7Hs2', EMAIL_FALLBACK_SERVICE: 'Postmark' };

const read = (env: Readonly<Record<string, string>>) =>
	readConfig({
		AUTH_SECRET: 'k3J0v9Qm2Xc7Tz1Rb8Wn4Ys6Lp5Hd0Gf_aUeIoNq',
		AUTH_URL: 'http://localhost:3000',
		...env
	});
const problemsOf = (env: Readonly<Record<string, string>>): readonly string[] => {
	const config = read(env);
	return config.ok ? [] : config.error;
};

describe('EMAIL_FALLBACK_…', () => {
	test('names a second provider, with the sender of the first unless it has its own', () => {
		const mailOf = (env: Readonly<Record<string, string>>) => {
			const config = read({ ...first, ...second, ...env });
			return config.ok ? config.value.mail : null;
		};
		expect(mailOf({})).toMatchObject({
			host: 'smtp.resend.com',
			fallback: {
				...{ host: 'smtp.postmarkapp.com', user: 'pm_7Hs2', key: 'pm_7Hs2' },
				from: { name: 'Acme', address: 'no-reply@example.org' }
			}
		});
		expect(mailOf({ EMAIL_FALLBACK_FROM: 'mail@example.net' })).toMatchObject({
			fallback: { from: { name: null, address: 'mail@example.net' } }
		});
	});

	test('is not needed', () => {
		const config = read(first);
		expect(config.ok && config.value.mail).toMatchObject({ fallback: null });
	});

	test.each([
		[
			{ ...first, EMAIL_FALLBACK_HOST: 'mail.example.net', EMAIL_FALLBACK_PORT: '465' },
			'EMAIL_FALLBACK_API_KEY: it is missing, but EMAIL_FALLBACK_HOST, EMAIL_FALLBACK_PORT are set. Set it to the key of the second provider, or remove the others'
		],
		[
			{ ...first, EMAIL_FALLBACK_API_KEY: 'key' },
			'EMAIL_FALLBACK_SERVICE: neither it nor EMAIL_FALLBACK_HOST names the second provider. Set it to a provider other than the first, such as Postmark'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_SERVICE: 'Resend' },
			'EMAIL_FALLBACK_SERVICE: it is the mail server of the first provider too (smtp.resend.com:465), so both would fail together. Name another provider'
		],
		[
			second,
			'EMAIL_API_KEY: it is missing, but settings of a second provider (EMAIL_FALLBACK_…) are set. Set it to the key of the first provider, or remove the others'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_SERVICE: 'Postmrak' },
			'EMAIL_FALLBACK_SERVICE: "Postmrak" is not a known mail service. Did you mean Postmark? For other services, set EMAIL_FALLBACK_HOST instead'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_FROM: 'nobody' },
			'EMAIL_FALLBACK_FROM: "nobody" is not a single plain email address. Write one address of a domain that you may send from, such as no-reply@example.org or Name <no-reply@example.org>'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_ALLOW_PLAIN: '1' },
			'EMAIL_FALLBACK_ALLOW_PLAIN: the key and all codes would be sent unencrypted over the network to smtp.postmarkapp.com. Remove it. It is only for a mail server on this machine (EMAIL_FALLBACK_HOST=127.0.0.1)'
		],
		[
			{ ...first, ...second, EMAIL_FALLBACK_SERVICE: 'SES-EU-WEST-1' },
			'EMAIL_FALLBACK_USER: Amazon SES needs its own SMTP user name. Set it to the SMTP user name that SES created with the SMTP password'
		]
	])('%j stops the start', (env, line) => {
		expect(problemsOf(env)).toEqual([line]);
	});
});
