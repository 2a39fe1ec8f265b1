import React, { useEffect, useState } from 'react';
import DOMPurify from 'dompurify';

interface Profile {
  name: string;
  bio: string;
}

export function ProfileCard({ id }: { id: string }): JSX.Element | null {
  const [profile, setProfile] = useState<Profile | null>(null);

  useEffect(() => {
    fetch(`/api/profiles/${encodeURIComponent(id)}`)
      .then((response) => response.json() as Promise<Profile>)
      .then(setProfile)
      .catch(() => setProfile(null));
  }, [id]);

  if (!profile) return null;
  return (
    <section>
      <h2>{profile.name}</h2>
      <div className="bio" dangerouslySetInnerHTML={{ __html: profile.bio }} />
    </section>
  );
}
