import { readOk } from '#lib/adapters/web/service/operations.ts';
import { endpoint, onlyMethods } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const GET = endpoint(readOk, () => ok({ ok: true }));

export const fallback = onlyMethods(readOk);
