import type { Network } from '#lib/domain/client.ts';
import type { Deps } from '#lib/domain/deps.ts';
import type { Sealer, Signer } from '#lib/domain/ports.ts';
import type { ProofPuzzles } from '#lib/domain/proof/ports.ts';
import { aesSealer } from './aes-sealer.ts';
import { altchaProofPuzzles } from './altcha-proof-puzzles.ts';
import { argon2CodeHasher } from './argon2-code-hasher.ts';
import { hmacNetworkHasher, hmacSecretHasher, hmacSigner } from './hmac.ts';
import { oidcSecrets } from './oidc-secrets.ts';
import { deriveKeys, type KeyRing } from './keys.ts';

type LinkSigner = 'changeLinkSigner' | 'unsubscribeSigner' | 'newDeviceSigner' | 'undoSigner';
type MailKey = 'mailSealer' | 'messageSigner';

interface CryptoTools extends Deps<
	'codeHasher' | 'secretHasher' | 'oidcSecrets' | LinkSigner | MailKey
> {
	readonly formSigner: Signer;
	readonly sealer: Sealer;
	readonly hashNetwork: (network: string) => Network;
	readonly proof: { readonly puzzles: ProofPuzzles; readonly signer: Signer };
}

export const cryptoTools = (secret: string, previousSecrets: readonly string[]): CryptoTools => {
	const keys = (purpose: string): KeyRing => deriveKeys(secret, previousSecrets, purpose);
	return {
		codeHasher: argon2CodeHasher(keys('code')),
		secretHasher: hmacSecretHasher(keys('token-hash')),
		changeLinkSigner: hmacSigner(keys('change-link')),
		unsubscribeSigner: hmacSigner(keys('unsubscribe-link')),
		newDeviceSigner: hmacSigner(keys('new-device-link')),
		undoSigner: hmacSigner(keys('undo-link')),
		formSigner: hmacSigner(keys('form-signature')),
		sealer: aesSealer(keys('cookie-seal')),
		mailSealer: aesSealer(keys('outbox')),
		messageSigner: hmacSigner(keys('message-id')),
		hashNetwork: hmacNetworkHasher(keys('network')),
		oidcSecrets: oidcSecrets(keys('oidc-hash'), keys('oidc-seal')),
		proof: {
			puzzles: altchaProofPuzzles(keys('proof-puzzle'), keys('proof-solution')),
			signer: hmacSigner(keys('proof'))
		}
	};
};
