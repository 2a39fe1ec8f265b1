module HostNames
  def self.clean(host)
    Shellwords.escape(host.strip.downcase)
  end
end
