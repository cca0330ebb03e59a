import { aroundAll } from 'vitest';
import { asSystem } from '#lib/adapters/sql/events/record-event.ts';
import { systemClock } from '#lib/adapters/system/system.ts';

// What a test does with stores of its own, outside of any request, is the system's work.
aroundAll((run) => asSystem(systemClock(), run));
