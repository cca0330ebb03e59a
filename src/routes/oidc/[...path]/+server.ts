export { answerOidc as fallback } from '#lib/adapters/web/oidc/answer-oidc.ts';
