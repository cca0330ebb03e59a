import { randomUUID } from 'node:crypto';
import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { Problem } from './client.mjs';

const windows = process.platform === 'win32';

const configFolder = () => {
	const { APPDATA, XDG_CONFIG_HOME } = process.env;
	if (windows && APPDATA) return APPDATA;
	// What is not absolute is to be ignored, says the standard.
	if (XDG_CONFIG_HOME && isAbsolute(XDG_CONFIG_HOME)) return XDG_CONFIG_HOME;
	return join(homedir(), '.config');
};

/**
 * The token for one server, in a file that its owner alone can read. On Windows the profile's own
 * access rules see to that; modes mean nothing there.
 */
export const tokenFile = (origin) => {
	const folder = join(configFolder(), 'postern-example');
	const path = join(folder, encodeURIComponent(origin));

	const read = async () => {
		let file;
		try {
			file = await open(path, 'r');
		} catch (error) {
			if (error.code === 'ENOENT') return null;
			throw new Problem(`${path} cannot be read: ${error.message}`);
		}
		try {
			// Asked of the open file: nobody can exchange it between the look and the reading.
			const { mode, uid } = await file.stat();
			if (!windows && (uid !== process.getuid() || (mode & 0o077) !== 0)) {
				throw new Problem(
					`Others can read ${path}, so it is not used. Remove it, sign in again, ` +
						'and end the session it was for in the settings of the site.'
				);
			}
			return (await file.readFile('utf8')).trim();
		} finally {
			await file.close();
		}
	};

	/** Complete or not at all: written beside its place, then moved there. */
	const write = async (token) => {
		const staging = `${path}.${randomUUID()}`;
		try {
			await mkdir(folder, { recursive: true, mode: 0o700 });
			// A folder that was there before has the mode it had.
			await chmod(folder, 0o700);
			await writeFile(staging, `${token}\n`, { flag: 'wx', mode: 0o600, flush: true });
			await rename(staging, path);
		} catch (error) {
			await rm(staging, { force: true });
			throw new Problem(`The token could not be kept: ${error.message}`);
		}
	};

	return { path, read, write, remove: () => rm(path, { force: true }) };
};
