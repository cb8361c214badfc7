const words: ReadonlySet<string> = new Set(
  (
    'contact contacts customer customers lead leads person persons people user users subscriber subscribers member members ' +
    'profile profiles client clients recipient recipients patient patients student students prospect prospects ' +
    'contato contatos cliente clientes pessoa pessoas usuario usuarios assinante assinantes inscrito membro membros perfil ' +
    'contacto contactos persona personas suscriptor suscriptores miembro miembros paciente pacientes aluno alunos alumno'
  ).split(' '),
);

/** Whether the word, folded, names the record of a person, in English, Portuguese or Spanish. */
export const isPersonWord = (word: string): boolean => words.has(word);

/** Returns such a word at the end of the text, or null. Short words end other words too. */
export const personWordAtEnd = (text: string): string | null =>
  [...words].find((word) => word.length >= 4 && text.endsWith(word)) ?? null;
