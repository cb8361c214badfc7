// Stories of the console that do not meet each other, in one Inlet. One alone: `-t` and a part of its name.
import './inlet.ts';
import './sign-in.ts';
import './guard.ts';
import './mapping.ts';
import './changes.ts';
import './keys.ts';
import './contacts.ts';
import './hostile.ts';
import './lists.ts';
import './firm.ts';
import './language.ts';
import './channels.ts';
import './standing.ts';
