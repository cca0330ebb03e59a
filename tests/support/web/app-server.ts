/**
 * Stands in for the framework's `$app/server`, which the form library imports without using it (see
 * vitest.config.ts).
 */
export {};
