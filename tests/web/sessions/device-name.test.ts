import { BROWSER_MAP, OS_MAP } from 'bowser';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { describeDevice } from '#lib/device-name.ts';
import { messages } from '#lib/messages/messages.ts';
import { anyText } from '../../support/domain/any-text.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const WINDOWS = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT}`;
const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)';
const IPHONE =
	'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';
const ANDROID = `Mozilla/5.0 (Linux; Android 14; Pixel 8) ${WEBKIT}`;
const LINUX = `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT}`;

describe('a device', () => {
	test.each([
		['Chrome on Windows', `${WINDOWS} Chrome/126.0.0.0 Safari/537.36`],
		['Edge on Windows', `${WINDOWS} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.0.0`],
		[
			'Firefox on Windows',
			'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:127.0) Gecko/20100101 Firefox/127.0'
		],
		[
			'Safari on macOS',
			`${MAC} AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15`
		],
		[
			'Chrome on Chrome OS',
			`${LINUX.replace('Linux x86_64', 'CrOS x86_64 14541.0.0')} Chrome/126.0.0.0 Safari/537.36`
		],
		['Safari on iPhone', `${IPHONE} Version/17.5 Mobile/15E148 Safari/604.1`],
		['Chrome on Android', `${ANDROID} Chrome/126.0.0.0 Mobile Safari/537.36`],
		[
			'Samsung Internet on Android',
			`${ANDROID} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`
		],
		['curl', 'curl/8.5.0'],
		['Node.js', 'node-fetch/1.0 (+https://github.com/bitinn/node-fetch)'],
		['Python', 'python-requests/2.32.3'],
		['an app (OkHttp)', 'okhttp/4.12.0'],
		['an app (CFNetwork)', 'MyBank/7.1 CFNetwork/1490.0.4 Darwin/23.2.0'],
		['an app (Android)', 'Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8 Build/UQ1A.240105.004)']
	])('is %s', (name, userAgent) => {
		expect(describeDevice(userAgent)).toBe(name);
	});

	test.each([
		['an empty user agent', ''],
		['a plain word', 'hello'],
		['HTML', '<img src=x onerror=alert(1)>/1.0 (x)'],
		['100 KB', 'a/1.0 ('.repeat(15_000)],
		['a browser name after the length limit', `${'x'.repeat(512)} Chrome/126.0.0.0`],
		['names of object members', '__proto__/1.0 (constructor)'],
		['a sentence', 'Your account was hacked, call +1 555 0100/1.0 (now)']
	])('that sends %s is unknown', (_, userAgent) => {
		expect(describeDevice(userAgent)).toBe('an unknown device');
	});

	test.each([
		['Buy my pills/1.0 (Windows NT 10.0)', 'an unknown program on Windows'],
		['<b>/1.0 (iPhone; \u202E)', 'an unknown program on iPhone'],
		['x@evil.example/1.0 (IPHONE)', 'an unknown program on iPhone'],
		['evil.example CFNetwork/1.0', 'an app (CFNetwork)'],
		[`${WINDOWS} evil.example Chrome/<b>\u2028x`, 'Chrome on Windows']
	])('shows nothing of %j', (userAgent, name) => {
		expect(describeDevice(userAgent)).toBe(name);
	});

	test('for any user agent, the name has only words of a fixed list', () => {
		const pieces = [
			...Object.keys(BROWSER_MAP),
			...Object.values(BROWSER_MAP),
			...Object.values(OS_MAP),
			'Mozilla/5.0 ',
			'/1.0 ',
			' (',
			')',
			'; ',
			'Android',
			'like ',
			'iphone',
			'Macintosh',
			'Ddg/1',
			'opt/12',
			'MiuiBrowser/',
			'SlimerJS',
			'PlayStation 4',
			'nokia 12',
			'huawei can-l01'
		];
		const known = [...Object.values(BROWSER_MAP), ...Object.values(OS_MAP)];
		const listed = new Set([
			...known,
			'Edge',
			'Samsung Internet',
			'Mi Browser',
			'iPhone',
			'iPad',
			'iPod',
			'curl',
			'Wget',
			'HTTPie',
			'Postman',
			'Insomnia',
			'PowerShell',
			'Node.js',
			'Python',
			'Go',
			'Java',
			'an app (OkHttp)',
			'an app (Android)',
			'an app (Dart)',
			'an app (CFNetwork)',
			messages.device.unknown,
			messages.device.unknownProgram
		]);
		const userAgents = fc.array(fc.oneof(fc.constantFrom(...pieces), anyText({ maxLength: 8 })), {
			maxLength: 12
		});
		fc.assert(
			fc.property(userAgents, (parts) => {
				for (const part of describeDevice(parts.join('')).split(' on ')) {
					expect(listed).toContain(part);
				}
			}),
			{ numRuns: 2_000 }
		);
	});
});
