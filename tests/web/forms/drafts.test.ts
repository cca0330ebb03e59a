import { expect, test } from 'vitest';
import { aesSealer } from '#lib/adapters/crypto/aes-sealer.ts';
import { deriveKeys } from '#lib/adapters/crypto/keys.ts';
import { openDraft } from '#lib/adapters/web/edge/drafts.ts';
import type { CodeKey } from '#lib/domain/secret.ts';

test('a kept text that another version has sealed is none', () => {
	const sealer = aesSealer(deriveKeys('a secret', [], 'session-cache'));
	const codeKey = 'b'.repeat(43) as CodeKey;
	const sealed = sealer.seal(JSON.stringify({ account: 'x', texts: ['Ada'] }), `draft ${codeKey}`);
	expect(openDraft(sealer, sealed, codeKey)).toBeNull();
});
