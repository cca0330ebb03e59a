import { readOk } from '#lib/adapters/web/service/operations.ts';
import { endpoint } from '#lib/adapters/web/api/endpoint.ts';
import { ok } from '#lib/domain/errors.ts';

export const { GET, fallback } = endpoint(readOk, () => ok({ ok: true }));
