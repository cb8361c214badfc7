/** The meaning of a colour, shared by badges and notes. */
export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'info';
