import type { Brand } from './brand.ts';

/** Primary keys are UUIDs, version 7, so that inserts stay ordered. */
export type UserId = Brand<string, 'UserId'>;
export type SessionId = Brand<string, 'SessionId'>;
export type ChallengeId = Brand<string, 'ChallengeId'>;
export type PurchaseId = Brand<string, 'PurchaseId'>;
