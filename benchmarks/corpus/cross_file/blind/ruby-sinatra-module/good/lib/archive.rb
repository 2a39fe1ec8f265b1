module Archive
  def self.pack(folder)
    system('tar', 'czf', 'archive.tgz', '--', folder)
  end
end
