import { makeGrantConsent } from './grant-consent.ts';

export const consent = { grantConsent: makeGrantConsent };
