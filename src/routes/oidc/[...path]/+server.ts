export { answerOidc as fallback } from '#lib/adapters/web/oidc/endpoint.ts';
