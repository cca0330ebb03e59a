import type { Config } from '#lib/config.server.ts';

/** The lines about email at start: where it is sent, and how to get the first code. */
export const startLines = ({ mail, origin, siteName }: Config): readonly string[] => {
	if (mail.kind === 'console') {
		return [`open ${origin} and sign in with any email address. The code is printed here`];
	}
	const { service, host, port, from } = mail;
	const through = service === null ? `${host}:${port}` : `${service} (${host}:${port})`;
	return [
		`email is sent through ${through} from ${from.name ?? siteName} <${from.address}>`,
		`open ${origin} and sign in with your email address. The code is sent by email`
	];
};
