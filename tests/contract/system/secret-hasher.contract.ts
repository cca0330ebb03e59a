import { expect, it } from 'vitest';
import type {
	CodeKey,
	ProgramKey,
	DeviceKey,
	RestoreToken,
	SecretHasher,
	SessionToken
} from '#lib/domain/secret.ts';
import { contract } from '../stores/suite.ts';

const text = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ';
const token = text as SessionToken;
const codeKey = text as CodeKey;
const inBrowser = { kind: 'browser', key: text as DeviceKey } as const;
const inProgram = { kind: 'program', key: text as ProgramKey } as const;

/** `open` gives a hasher for keys, the current one first: the same one for the same keys. */
export const secretHasherContract = contract(
	'a secret hasher',
	(open: (...keys: readonly string[]) => SecretHasher) => {
		const hasher = open('one key');

		it('is deterministic, also after a restart', () => {
			expect(hasher.ofToken(token)).toEqual(open('one key').ofToken(token));
			expect(hasher.ofCodeKey(codeKey)).toBe(open('one key').ofCodeKey(codeKey));
		});

		it('tokens are keyed: another key makes other hashes', () => {
			expect(hasher.ofToken(token)).toHaveLength(1);
			expect(hasher.ofToken(token)).not.toEqual(open('another key').ofToken(token));
		});

		it('device keys are keyed, and found under earlier keys during a rotation', () => {
			const rotated = open('new key', 'one key', 'old key');
			for (const presentedKey of [inBrowser, inProgram]) {
				const hashes = hasher.ofDevice(presentedKey);
				expect(hashes).toHaveLength(1);
				expect(hashes).toEqual(open('one key').ofDevice(presentedKey));
				expect(hashes).not.toEqual(open('another key').ofDevice(presentedKey));
				expect(rotated.ofDevice(presentedKey)).toEqual([
					...open('new key').ofDevice(presentedKey),
					...hashes,
					...open('old key').ofDevice(presentedKey)
				]);
			}
		});

		it('N02: returns the hashes of earlier keys after the current one, in their order', () => {
			const rotated = open('new key', 'one key', 'old key');
			expect(rotated.ofToken(token)).toEqual([
				...open('new key').ofToken(token),
				...hasher.ofToken(token),
				...open('old key').ofToken(token)
			]);
		});

		it('N02: code keys and program keys are not keyed, so that a code outlives a rotation', () => {
			const other = open('another key');
			expect(other.ofCodeKey(codeKey)).toBe(hasher.ofCodeKey(codeKey));
			expect(other.ofProgramKey(inProgram.key)).toBe(hasher.ofProgramKey(inProgram.key));
		});

		const hashesOfText = () => [
			...hasher.ofToken(token),
			...hasher.ofRestoreToken(text as RestoreToken),
			hasher.ofCodeKey(codeKey),
			hasher.ofProgramKey(inProgram.key),
			...hasher.ofDevice(inBrowser),
			...hasher.ofDevice(inProgram)
		];

		it('T03: gives secrets of different kinds with the same text different hashes', () => {
			expect(new Set(hashesOfText()).size).toBe(6);
		});

		it('gives different secrets different hashes', () => {
			const hashes = Array.from({ length: 1000 }, (_, n) => `${text}${n}`).flatMap((secret) => [
				...hasher.ofToken(secret as SessionToken),
				hasher.ofCodeKey(secret as CodeKey)
			]);
			expect(new Set(hashes).size).toBe(2000);
		});

		it('E13: makes hashes of 256 bits in base64url that contain nothing of the secret', () => {
			for (const hash of hashesOfText()) {
				expect(hash).toMatch(/^[A-Za-z0-9_-]{43}$/);
				expect(hash).not.toBe(text);
			}
		});

		it('E13: a hash presented as a secret is another secret', () => {
			const [hash] = hasher.ofToken(token);
			expect(hasher.ofToken(hash as string as SessionToken)).not.toContain(hash);
		});
	}
);
