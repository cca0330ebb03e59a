import type { Config } from '#lib/config.server.ts';

/** Where emails are sent, and how to get the first code. */
export const startLine = ({ mail, origin, siteName }: Config): string => {
	if (mail.kind === 'console') {
		return `open ${origin} and sign in with any email address. Codes are printed here`;
	}
	const { service, host, port, from } = mail;
	const through = service === null ? `${host}:${port}` : `${service} (${host}:${port})`;
	return `open ${origin}. Emails are sent through ${through} from ${from.name ?? siteName} <${from.address}>`;
};
