require "digest"

class Account
  attr_reader :login, :password_hash

  def initialize(login, password_hash = nil)
    @login = login
    @password_hash = password_hash
  end

  def password=(value)
    @password_hash = Digest::SHA256.hexdigest("#{login}:#{value}")
  end

  def valid_password?(value)
    Rack::Utils.secure_compare(@password_hash, Digest::SHA256.hexdigest("#{login}:#{value}"))
  end
end
