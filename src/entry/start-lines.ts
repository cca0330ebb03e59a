import type { Config } from '#lib/config.server.ts';
import type { TrustedProxies } from '#lib/config/addresses.ts';

/** Where emails are sent, and how to get the first code. */
export const startLine = ({ mail, origin, siteName }: Config): string => {
	if (mail.kind === 'console') {
		return `open ${origin} and sign in with any email address. Codes are printed here`;
	}
	const { service, host, port, from } = mail;
	const through = service === null ? `${host}:${port}` : `${service} (${host}:${port})`;
	return `open ${origin}. Emails are sent through ${through} from ${from.name ?? siteName} <${from.address}>`;
};

export const describeTrust = (trusted: TrustedProxies): string => {
	switch (trusted.kind) {
		case 'none':
			return 'Client addresses are the peers of the sockets. Forwarded-for headers are ignored';
		case 'private':
			return (
				'Forwarded-for headers are trusted from loopback, link-local and private addresses. ' +
				'Set AUTH_TRUSTED_PROXIES if clients can connect from these'
			);
		case 'listed':
			return `Forwarded-for headers are trusted from ${trusted.entries
				.map(({ text }) => text)
				.join(', ')}`;
	}
};
