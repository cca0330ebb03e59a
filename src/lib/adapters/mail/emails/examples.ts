import type { AnyMail, Code, Email, RequestDetails } from '#lib/domain/index.ts';

/** Examples of an email by title, for the preview in development. They are not part of a build. */
export type Examples<M extends AnyMail> = Readonly<Record<string, M>>;

/** Values for examples. */
export const example = {
	ada: 'ada@example.com' as Email,
	grace: 'grace@example.net' as Email,
	code: (digits: string): Code => digits as Code,
	request: {
		at: /* @__PURE__ */ new Date('2026-11-20T21:39:54Z'),
		device: {
			ipAddress: '203.0.113.7',
			userAgent:
				'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36'
		}
	} satisfies RequestDetails
};
