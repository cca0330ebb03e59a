import { printError } from '#lib/operator-messages.ts';
import { taskNames, tasks, type TaskName } from '#lib/adapters/tasks/tasks.ts';
import { calling, words } from './lib/printable.ts';
import { withApp } from './lib/with-app.ts';

// Runs one of the daily tasks now and prints what it removed: npm run task -- account:purge

const isTask = (name: string): name is TaskName => (taskNames as readonly string[]).includes(name);

const [name = ''] = process.argv.slice(2);
if (isTask(name)) {
	await withApp(async (app, say) => {
		const counts = Object.entries(await tasks[name](app));
		say(`${name} removed ${counts.map(([what, count]) => `${count} ${words(what)}`).join(', ')}`);
	});
} else {
	printError(`name the task: ${calling('task')} ${taskNames.join(' | ')}`);
	process.exitCode = 1;
}
