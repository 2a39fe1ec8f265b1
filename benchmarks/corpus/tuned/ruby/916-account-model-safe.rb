require "bcrypt"

class Account
  attr_reader :login, :password_hash

  def initialize(login, password_hash = nil)
    @login = login
    @password_hash = password_hash
  end

  def password=(value)
    @password_hash = BCrypt::Password.create(value, cost: 12).to_s
  end

  def valid_password?(value)
    BCrypt::Password.new(@password_hash) == value
  end
end
