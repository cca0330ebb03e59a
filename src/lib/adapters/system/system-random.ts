import { randomBytes } from 'node:crypto';
import type { Random } from '#lib/domain/ports.ts';

/** Bytes from the operating system's cryptographic source. */
export const systemRandom = (): Random => ({ bytes: (count) => randomBytes(count) });
