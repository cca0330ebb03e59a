import { pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';

const deriveKey = promisify(pbkdf2);

/**
 * Solves a challenge and returns the value of the header X-Postern-Proof. Tries counters until the
 * derived key starts with the prefix, which takes about a second on a phone.
 */
export const solveChallenge = async (challenge) => {
	const { algorithm, cost, keyLength, keyPrefix, nonce, salt } = challenge.parameters;
	if (algorithm !== 'PBKDF2/SHA-256') throw new Error(`unknown algorithm: ${algorithm}`);
	const saltBytes = Buffer.from(salt, 'hex');
	const password = Buffer.from(`${nonce}00000000`, 'hex');
	for (let counter = 0; ; counter += 1) {
		password.writeUInt32BE(counter, password.length - 4);
		const key = await deriveKey(password, saltBytes, cost, keyLength, 'sha256');
		const derivedKey = key.toString('hex');
		if (!derivedKey.startsWith(keyPrefix)) continue;
		const answer = { challenge, solution: { counter, derivedKey } };
		return Buffer.from(JSON.stringify(answer)).toString('base64');
	}
};
