import { useViewer } from './viewer-context.ts';

export function Navbar() {
  const { organization, user } = useViewer();
  return (
    <header className="navbar">
      <p className="navbar-organization">
        {organization.logo ? (
          <img className="logo" src={organization.logo} alt="" />
        ) : (
          <span className="navbar-mark" aria-hidden="true">
            {/^./u.exec(organization.name)![0]}
          </span>
        )}
        {organization.name}
      </p>
      <p className="navbar-user">
        <span className="navbar-name">{user.name}</span>
        <span className="navbar-email">{user.email}</span>
      </p>
    </header>
  );
}
