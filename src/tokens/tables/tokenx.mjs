// Print the estimate of tokenx for each document of standard input, one per
// line.  The documents are separated by NUL bytes; argument: tokenx's folder.
import fs from 'node:fs';
import path from 'node:path';
import {pathToFileURL} from 'node:url';

const module = path.resolve(process.argv[2], 'package/dist/index.mjs');
const {estimateTokenCount} = await import(pathToFileURL(module));
const documents = fs.readFileSync(0, 'utf8').split('\0').slice(0, -1);
const counts = documents.map((text) => estimateTokenCount(text));
fs.writeSync(1, counts.join('\n') + '\n');
