module HostNames
  def self.clean(host)
    host.strip.downcase
  end
end
