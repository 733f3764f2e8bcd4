/** Stands for your own users, and for how you check who they are. */
const people = [
  { email: 'west@acme.example', name: 'Wanda West', region: 'West', isManager: false },
  { email: 'all@acme.example', name: 'Alma All', region: 'West', isManager: true },
  { email: 'new@acme.example', name: 'Nina New', region: 'East', isManager: false },
];

export const findPerson = async (email) => people.find((person) => person.email === email);
export const checkPassword = (email, password) =>
  password === 'demo' && people.some((person) => person.email === email);
