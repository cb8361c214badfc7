#!/usr/bin/env node
/** Entry point of the `inlet` command. */
import { runCommandLine } from './command-line.ts';

// A reader such as `head` may close first.
process.stdout.on('error', () => process.exit());
process.exitCode = await runCommandLine(process.argv.slice(2));
