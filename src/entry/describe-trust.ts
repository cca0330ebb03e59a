import type { TrustedProxies } from '#lib/config/addresses.ts';

/**
 * Describes for the start-up log which peers' forwarding headers are trusted. In its own file,
 * because the start script runs without the libraries that are bundled into the build.
 */
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
				.map(({ address, family, prefix }) =>
					prefix === (family === 4 ? 32 : 128) ? address : `${address}/${prefix}`
				)
				.join(', ')}`;
	}
};
