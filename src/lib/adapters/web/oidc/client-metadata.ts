import type { ClientMetadata } from 'oidc-provider';
import type { OidcClient } from '#lib/domain/oidc/ports.ts';

/** A client as the library reads it. */
export const clientMetadata = (client: OidcClient): ClientMetadata => ({
	client_id: client.id,
	client_name: client.name,
	// Only the hash is known (see `compareClientSecret` in provider.ts).
	...(client.secretHash !== null && { client_secret: client.secretHash }),
	token_endpoint_auth_method: client.secretHash === null ? 'none' : 'client_secret_basic',
	application_type: client.isNative ? 'native' : 'web',
	id_token_signed_response_alg: client.algorithm,
	grant_types: ['authorization_code', 'refresh_token'],
	response_types: ['code'],
	response_modes: ['query'],
	redirect_uris: [...client.redirectUris],
	post_logout_redirect_uris: [...client.afterLogoutUris],
	...(client.logoutUri !== null && {
		backchannel_logout_uri: client.logoutUri,
		backchannel_logout_session_required: true
	})
});
